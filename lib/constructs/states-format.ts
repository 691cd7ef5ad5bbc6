/*
 * Texts with values that only an execution knows, as `States.Format` of Step Functions builds them.
 */

/** Around the path of a value in a text. Both are characters for private use, which no text of ours has. */
const [BEGIN, END] = ['\uF8F0', '\uF8F1'];

/** @param path where the execution finds the value, such as `$.look.merged` */
export function valueAt(path: string): string {
  return `${BEGIN}${path}${END}`;
}

/** A text inside the template of `States.Format`, between its quotes. The format gives the text back unchanged. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\'{}]/g, (sign) => `\\${sign}`);
}

/** What builds a text in an execution. */
export type StatesText =
  | { kind: 'constant'; text: string }
  /** An intrinsic function. */
  | { kind: 'format'; expression: string };

/** @param text in which {@link valueAt} stands for the values */
export function statesText(text: string): StatesText {
  const [first = '', ...rest] = text.split(BEGIN);
  if (rest.length === 0) return { kind: 'constant', text };
  const values = rest.map((part) => {
    const [path = '', after = ''] = part.split(END);
    return { path, after };
  });
  const template = [escaped(first), ...values.map(({ after }) => escaped(after))].join('{}');
  const paths = values.map(({ path }) => path);
  return { kind: 'format', expression: `States.Format('${template}', ${paths.join(', ')})` };
}
