import ts from 'typescript';

/** The titles of a test: of the groups around it, from the outermost, and its own. As they stand in the source. */
export type TitlePath = readonly string[];

const GROUPS = ['describe'];
const TESTS = ['it', 'test'];
/** Tests with these marks do not run or are meant to fail. */
const NOT_RUN = ['skip', 'todo', 'fails'];

/** `it.concurrent.each(cases)` is `it`, `concurrent`, `each`. */
function namesOf(callee: ts.Expression): string[] {
  if (ts.isIdentifier(callee)) return [callee.text];
  if (ts.isPropertyAccessExpression(callee)) return [...namesOf(callee.expression), callee.name.text];
  if (ts.isCallExpression(callee) || ts.isExpressionWithTypeArguments(callee))
    return namesOf(callee.expression);
  return [];
}

/** The title of a template literal is the text between its backticks. */
function titleOf(argument: ts.Expression | undefined): string | undefined {
  if (argument === undefined) return undefined;
  if (ts.isStringLiteralLike(argument)) return argument.text;
  return ts.isTemplateExpression(argument) ? argument.getText().slice(1, -1) : undefined;
}

/**
 * The tests of a file, read from its text. One that is repeated for each of many cases is there once, with the
 * placeholders of its title.
 */
export function testTitles(source: string): TitlePath[] {
  const found: TitlePath[] = [];
  const walk = (node: ts.Node, groups: TitlePath): void => {
    if (ts.isCallExpression(node)) {
      const [name = '', ...modifiers] = namesOf(node.expression);
      const title = titleOf(node.arguments[0]);
      if (title !== undefined && [...GROUPS, ...TESTS].includes(name)) {
        if (modifiers.some((modifier) => NOT_RUN.includes(modifier))) return;
        if (TESTS.includes(name)) found.push([...groups, title]);
        else for (const argument of node.arguments) walk(argument, [...groups, title]);
        return;
      }
    }
    ts.forEachChild(node, (child) => walk(child, groups));
  };
  walk(ts.createSourceFile('test.ts', source, ts.ScriptTarget.Latest, true), []);
  return found;
}
