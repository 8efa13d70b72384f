// Prints each call below a folder, one JSON object a line: where it stands, and where what it calls is declared. Calls that
// the compiler cannot resolve, and calls of variables and parameters, are not printed; one that leads out of the folder has
// no targets. JavaScript counts where the folder has no TypeScript.
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
      paths[name] = [path.join(folder, 'src/index')];
      paths[name + '/*'] = [path.join(folder, 'src/*'), path.join(folder, '*')];
    }
  } catch {
    continue; // a broken manifest names nothing
  }
}

const program = ts.createProgram(files, {
  allowJs: isScript,
  checkJs: isScript,
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

function isDefinition(node) {
  if (ts.isParameter(node)) return false;
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return true;
  const value = ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)
    ? node.initializer
    : ts.isBinaryExpression(node) ? node.right : undefined;
  return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value) || ts.isClassLike(value));
}

function lineOf(node) {
  const source = node.getSourceFile();
  return source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

function nameOf(node) {
  if (ts.isConstructorDeclaration(node)) return nameOf(node.parent);
  if (!ts.isBinaryExpression(node)) return node.name && node.name.text;
  const own = node.right.name && node.right.name.text;
  const left = ts.isPropertyAccessExpression(node.left) && node.left.name.text;
  return left === 'exports' ? own || left : left || own;
}

function report(name) {
  let symbol = checker.getSymbolAtLocation(name);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const declared = (symbol && symbol.declarations) || [];
  const here = declared.filter((one) => one.getSourceFile().fileName.startsWith(root + '/'));
  const meant = here.filter(isDefinition);
  if (!declared.length || (here.length && !meant.length)) return;
  const targets = meant.map((one) => [one.getSourceFile().fileName, lineOf(one), nameOf(one) || name.text]);
  process.stdout.write(
    JSON.stringify({ path: name.getSourceFile().fileName, line: lineOf(name), name: name.text, targets }) + '\n',
  );
}

for (const source of program.getSourceFiles()) {
  if (!source.fileName.startsWith(root + '/') || source.isDeclarationFile || source.fileName.includes('node_modules')) continue;
  (function visit(node) {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const called = node.expression;
      if (ts.isPropertyAccessExpression(called)) report(called.name);
      else if (ts.isIdentifier(called)) report(called);
    }
    ts.forEachChild(node, visit);
  })(source);
}
