import type { IncomingHttpHeaders } from 'node:http';
import { authenticate, merchantByAccessCode } from './access.ts';
import { jsonAnswer, type Answer } from './answer.ts';
import { answerFingerprint } from './behaviour.ts';
import { encrypt } from './cipher.ts';
import { ERROR_BODIES, Refusal } from './envelopes.ts';
import { invoiceDashboard } from './invoices.ts';
import { login, refresh } from './login.ts';
import type { PageCache } from './page-cache.ts';
import { refundDetails, refundList } from './refunds.ts';
import type { RequestFacts } from './request-facts.ts';
import type { Service } from '../service.ts';
import { createShift } from '../day/shift.ts';

/** A parsed request, as the operations need it. */
export interface ServiceRequest {
  facts: RequestFacts;
  headers: IncomingHttpHeaders;
  /** The query parameter `data`. It is not part of the facts. */
  data: string | null;
  body: string;
}

function errorAnswer(service: Service, error: unknown, merchantCode: string | undefined): Answer {
  const { errorAnswers, errorStatus, padBlock } = service.behaviour;
  const { status, body } = ERROR_BODIES[error instanceof Refusal ? error.error : 'serverError'];
  const encrypted = errorAnswers === 'encrypted' && merchantCode !== undefined;
  const text = encrypted
    ? JSON.stringify({ response: encrypt(body, service.cipherOf(merchantCode), padBlock) })
    : body;
  const refusal = error instanceof Error ? error.message : String(error);
  return { ...jsonAnswer(errorStatus === 'http' ? status : errorStatus, text), refusal };
}

/** The service's own answer to a request. An error becomes one of the contract's error bodies. */
export function createOperations(service: Service, pages: PageCache): (request: ServiceRequest) => Answer {
  const { behaviour } = service;
  const shift = createShift(service);

  function sealed(merchantCode: string, text: string): string {
    return JSON.stringify({ response: encrypt(text, service.cipherOf(merchantCode), behaviour.padBlock) });
  }

  /** Pages come from the cache while data, behaviour and cipher do not change. */
  function listed(merchantCode: string, facts: RequestFacts, make: () => string): Answer {
    const { key, iv } = service.cipherOf(merchantCode);
    const asked = [merchantCode, facts.operation, service.store.version(merchantCode), key, iv, facts.query];
    return jsonAnswer(200, pages.get(`${JSON.stringify(asked)} ${answerFingerprint(behaviour)}`, make));
  }

  function dataAnswer(request: ServiceRequest): Answer {
    const { facts } = request;
    const { merchantCode } = authenticate(service, request.headers, request.data);
    switch (facts.operation) {
      case 'invoices': {
        const answer = listed(merchantCode, facts, () => {
          const text = invoiceDashboard(service, merchantCode, facts.query);
          return behaviour.invoiceAnswers === 'plain' ? text : sealed(merchantCode, text);
        });
        shift(merchantCode, facts.query);
        return answer;
      }
      case 'refunds':
        if (!behaviour.hasRefundList) throw new Refusal('notFound', 'hasRefundList is off');
        return listed(merchantCode, facts, () =>
          sealed(merchantCode, refundList(service, merchantCode, facts.query)),
        );
      case 'refund':
        return jsonAnswer(200, sealed(merchantCode, refundDetails(service, merchantCode, facts.path)));
      case 'login':
      case 'refresh':
      case 'other':
        throw new Refusal('notFound', 'the service has no such path');
    }
  }

  return (request) => {
    const { operation } = request.facts;
    const isData = operation === 'invoices' || operation === 'refund' || operation === 'refunds';
    try {
      if (operation === 'login') return jsonAnswer(200, login(service, request.body));
      if (operation === 'refresh') return jsonAnswer(200, refresh(service, request.body));
      if (operation === 'other') throw new Refusal('notFound', 'the service has no such path or method');
      return dataAnswer(request);
    } catch (error) {
      const merchant = isData ? merchantByAccessCode(service, request.headers) : undefined;
      return errorAnswer(service, error, merchant?.merchantCode);
    }
  };
}
