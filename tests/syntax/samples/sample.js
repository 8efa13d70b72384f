'use strict';

const fs = require('node:fs');
const { join } = require('path');

/** Keeps things. */
class Store extends EventEmitter {
  #items = new Map();
  static limit = 10;

  constructor(options) {
    super();
    this.options = options;
  }

  async *each() {
    const local = 1;
  }

  onChange = (event) => {
    this.emit('change', event);
  };
}

function open(path) {
  const inner = () => fs.readFileSync(path);
  return inner();
}

const close = async () => {};

Store.prototype.clear = function () {
  this.items = [];
};

module.exports.helper = (a) => a;

const routes = {
  index: function (request) {
    return 1;
  },
};

describe('store', () => {
  it('opens', () => {});
});

export default function main() {}
