import React, { useState as us, type Foo } from "react";
import * as path from "path";
import "./side.css";
export { a, b as c } from "./ab";
export * from "./all";
export * as ns from "./ns";
const fs = require("fs"), { x, y: z } = require("./xy");
const d = require("./m").d;

@Injectable()
export class Svc extends Base<Foo> implements IFace, ns.Other {
  private items: Item[] = [];
  http = new Http();
  client: net.Client | null;
  constructor(private readonly repo: Repo<User>, other: Other) {
    super(repo);
    this.client = other.makeClient();
    this.other = other;
  }
  async load(id: string): Promise<User> {
    const user = await this.repo.find(id);
    const f = new Foo.Bar(1, 2);
    user?.name.trim().split(",").map(handler);
    return (await import("./lazy")).run<User>(user!);
  }
}
function handler(s: string) { return s; }
const useThing = (): Thing => { const [v] = us<Foo>(0); return <Panel.Item v={v}><div><Button onClick={handler} /></div></Panel.Item>; };
export default memo(useThing);
export { handler as h };
