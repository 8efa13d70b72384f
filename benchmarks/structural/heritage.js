// Prints each class below a folder, one JSON object a line: where it stands and where each class that it extends is
// declared, as the TypeScript compiler resolves it.
const fs = require('fs');
const path = require('path');
const ts = require('typescript');

const root = fs.realpathSync(process.argv[2]);
const SKIPPED = new Set(['node_modules', 'dist', 'build']);

function* walk(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (SKIPPED.has(entry.name) || entry.name.startsWith('.')) continue;
    const whole = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(whole);
    else if (entry.isFile()) yield whole;
  }
}

const all = [...walk(root)];
const typed = all.filter((one) => /\.tsx?$/.test(one) && !/\.d\.ts$/.test(one));
const isScript = typed.length === 0;
const files = isScript ? all.filter((one) => /\.[cm]?jsx?$/.test(one)) : typed;

const paths = {}; // packages of a workspace under their own names
for (const manifest of all.filter((one) => path.basename(one) === 'package.json')) {
  try {
    const { name } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
    const folder = path.dirname(manifest);
    if (name) {
      paths[name] = [path.join(folder, 'src/index'), path.join(folder, 'src/exports/index')];
      paths[name + '/*'] = [path.join(folder, 'src/exports/*'), path.join(folder, 'src/*'), path.join(folder, '*')];
    }
  } catch {
    continue; // a broken manifest names nothing
  }
}

const program = ts.createProgram(files, {
  allowJs: isScript,
  noEmit: true,
  target: ts.ScriptTarget.ESNext,
  module: isScript ? ts.ModuleKind.CommonJS : ts.ModuleKind.ESNext,
  moduleResolution: isScript ? ts.ModuleResolutionKind.Node10 : ts.ModuleResolutionKind.Bundler,
  ignoreDeprecations: '6.0',
  paths,
  baseUrl: root,
  skipLibCheck: true,
  jsx: ts.JsxEmit.Preserve,
  types: [],
});
const checker = program.getTypeChecker();

function lineOf(node) {
  const source = node.getSourceFile();
  return source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

function basesOf(node) {
  const found = [];
  for (const clause of node.heritageClauses || []) {
    if (clause.token !== ts.SyntaxKind.ExtendsKeyword) continue;
    for (const type of clause.types) {
      let symbol = checker.getSymbolAtLocation(type.expression);
      if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
      for (const one of (symbol && symbol.declarations) || []) {
        if (ts.isClassLike(one)) found.push([one.getSourceFile().fileName, lineOf(one), one.name ? one.name.text : '']);
      }
    }
  }
  return found;
}

for (const source of program.getSourceFiles()) {
  if (!source.fileName.startsWith(root + '/') || source.isDeclarationFile) continue;
  (function visit(node) {
    if (ts.isClassLike(node) && node.name) {
      const record = { path: source.fileName, line: lineOf(node), name: node.name.text, bases: basesOf(node) };
      process.stdout.write(JSON.stringify(record) + '\n');
    }
    ts.forEachChild(node, visit);
  })(source);
}
