#!/usr/bin/env node
/**
 * Copyright 2020 The Authors
 */
// Users of the thing.
import { A, B as C } from './lib/foo-bar';
import type { T } from "@scope/pkg";
export * from './other';
const fs = require('fs');

/** Doc */
@Injectable()
export class Foo<T> extends Bar implements Baz {
  private x: number = 1;
  static readonly Y = 2;
  constructor(private readonly a: A) { super(); }
  get v(): number { return this.x; }
  handler = async (e: Event) => { return e; };
  abstract foo(): void;
}
export abstract class Q { abstract foo(): void; }
export interface I { a: string; m(x: number): void; }
export enum E { A, B }
export type U = A | B;
export const fn = async (a: number): Promise<void> => {
  const inner = () => 1;
  const y = 2;
};
export const LIMIT = 10, OTHER = 3;
let st = { a: 1 };
export default function App() { return null; }
namespace N.M { export function z() {} }
declare module "foo" { function bar(a: string): void; }
function overload(a: string): void;
function overload(a: any): void { }
const Memo = React.memo((props) => { return null; });
exports.run = function (a) { return a };
