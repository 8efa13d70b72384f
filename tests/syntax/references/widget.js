const EventEmitter = require("events");
const { read, write: put } = require("./disk");
const parse = require("./parse").fast;
import("./lazy").then((m) => m.start());

class Widget extends EventEmitter {
  #store = new Store();
  disk = makeDisk();
  constructor(options) {
    super();
    this.parser = parse(options.text);
    this.clock = options.clock || new Clock(1);
  }
  async draw(canvas) {
    const page = await this.disk.load(canvas.id, put);
    page?.lines.forEach(drawLine);
    if (page instanceof Page) return <Frame title="x"><p>{page.name}</p></Frame>;
    return read(page);
  }
}
function drawLine(line) { return helper(line); }
exports.draw = drawLine;
module.exports = Widget;
