import type { Texts } from '../texts/texts.ts';

const LONGEST_METHOD = 60;

/** The names of texts are of this form: `Credit Card` is `credit_card`. */
function textName(method: string): string {
  return method.toLowerCase().replace(/[\s-]+/g, '_');
}

/** Our name of a payment method in the mail's language, or `undefined`. */
export function knownMethod(method: string, texts: Texts): string | undefined {
  const name = method.length > LONGEST_METHOD ? '' : `methods.${textName(method)}`;
  return texts.has(name) ? texts.say(name) : undefined;
}
