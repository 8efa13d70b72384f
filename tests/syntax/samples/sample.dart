/// Shows a counter.
library counter;

import 'dart:async';
import 'package:flutter/material.dart' show Widget;
part 'counter.g.dart';

const int limit = 10;
final names = <String>[];

typedef Handler = void Function(int);

/// A page.
@immutable
class CounterPage extends StatelessWidget with Log implements Shown {
  final String title;
  static const int max = 3;

  const CounterPage({required this.title});
  CounterPage.named(this.title);
  factory CounterPage.make() => CounterPage(title: 'x');

  int get count => 1;
  set count(int value) {}

  @override
  Widget build(BuildContext context) {
    final local = 1;
    return Text(title);
  }

  bool operator ==(Object other) => true;
}

abstract class Shown {
  void show();
}

mixin Log on Object {
  void log(String text) {}
}

enum Mode { light, dark }

extension StringShout on String {
  String shout() => toUpperCase();
}

int add(int a, int b) {
  return a + b;
}

void main() => runApp(CounterPage(title: 'x'));
