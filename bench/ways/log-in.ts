import { createCipheriv } from 'node:crypto';
import type { SandboxMerchant } from '#sandbox/payments/index.ts';

export interface DayOfMerchant {
  origin: string;
  merchant: Pick<SandboxMerchant, 'merchantCode' | 'accessCode' | 'cipher' | 'username' | 'password'>;
  day: string;
}

/** The address of the day's pages, to which `&page=` and `&invoiceType=` are added, and the headers of its requests. */
export async function logIn({ origin, merchant, day }: DayOfMerchant) {
  const types = { accept: 'application/json', 'content-type': 'application/json' };
  const answer = await fetch(`${origin}/api/v1/login`, {
    method: 'POST',
    headers: types,
    body: JSON.stringify({ username: merchant.username, password: merchant.password }),
  });
  const { response } = (await answer.json()) as { response: { token: { access_token: string } } };
  const cipher = createCipheriv('aes-256-cbc', merchant.cipher.key, merchant.cipher.iv);
  const data =
    cipher.update(JSON.stringify({ merchantCode: merchant.merchantCode }), 'utf8', 'hex') +
    cipher.final('hex');
  return {
    list: `${origin}/api/v1/invoice-dashboard?fromDate=${day}&toDate=${day}&data=${data}`,
    headers: {
      ...types,
      authorization: `Bearer ${response.token.access_token}`,
      accessCode: merchant.accessCode,
    },
  };
}
