// A payment that moved elsewhere is booked on an open check. The platform accepts it first; a POS fetches it later.
import type { EntityAdapter, WriteCall } from '../../contract/connector.ts'
import type { Payment } from '../../contract/entities/payment.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { refusal } from '../../kit/errors.ts'
import { compact, list, text } from '../../kit/fields.ts'
import { fromMinor, toMinor } from '../../kit/money.ts'
import { post } from '../../kit/requests.ts'
import { checkCurrency, idNumber, locationOf } from './account.ts'
import { readAccount, readChanged } from './check.ts'
import { methodTypeOf, readMethods } from './payment-method.ts'
import { micros, rounded, unitOf } from './sold.ts'

/** The code of the way to pay: the merchant has set it up. */
async function methodCode(call: WriteCall, { paymentMethodExternalId: id, methodType }: Payment): Promise<string> {
  const methods = await readMethods(call)
  const found =
    id === undefined
      ? methods.find(({ code }) => methodTypeOf(code, call.account) === methodType)
      : methods.find(({ pmId }) => String(pmId) === id)
  const code = text(found?.code)
  if (code !== undefined) return code
  throw id === undefined
    ? refusal('methodType', `No payment method of the location is ${methodType}: send paymentMethodExternalId`)
    : refusal('paymentMethod', `The location has no payment method ${id}`)
}
const hasOwn = (payments: readonly { externalReference?: string | null }[], reference: string): boolean =>
  payments.some(({ externalReference }) => externalReference === reference)
/** Whether the payment with this reference is on the account, open or closed; and the check, if it is open. */
async function lookAt(call: WriteCall, account: string, read: typeof readAccount) {
  const { check, sale } = (await read(call, account)) ?? {}
  return { check, isBooked: hasOwn(list(check?.paymentEntries ?? sale?.payments), call.reference) }
}
/** What the POS would refuse later, and only a webhook would report. */
async function checkDue(call: WriteCall, { orderExternalId = '', amount }: Payment, currency: string): Promise<void> {
  const { check, isBooked } = await lookAt(call, orderExternalId, readAccount)
  if (isBooked) return // the response was lost
  if (!check) throw refusal('iKaccountIdentifier', `Lightspeed has no open check ${orderExternalId}`)
  const due = rounded(micros(check.currentAmount) - micros(check.paidAmount), unitOf(currency))
  if (toMinor(amount, currency, 'paymentAmount') > due)
    throw refusal('paymentAmount', `Only ${fromMinor(due, currency)} ${currency} are due on this check`)
}
const looks = 10
async function create(call: WriteCall, record: Payment): Promise<{ id: string }> {
  const { orderExternalId: account = '', amount, tip, locationExternalId: location } = record
  if (location !== undefined && location !== locationOf(call))
    throw refusal('businessLocationId', `The location of the account is ${locationOf(call)}`)
  const currency = checkCurrency(call, record.currencyCode)
  const exact = (value: number, native: string) => fromMinor(toMinor(value, currency, native), currency)
  const id = `${account}:${call.reference}`
  await checkDue(call, record, currency)
  try {
    await call.write('payment', {
      request: post(
        '/o/op/1/pay',
        compact({
          businessLocationId: idNumber(locationOf(call), 'businessLocationId'),
          iKaccountIdentifier: account,
          thirdPartyPaymentReference: call.reference,
          endpointId: call.account.settings.endpointId,
          paymentMethod: await methodCode(call, record),
          paymentAmount: exact(amount, 'paymentAmount'),
          tipAmount: tip ? exact(tip, 'tipAmount') : undefined,
          taskTtlInMs: 60_000, // otherwise it might be booked hours after the client has given up
        }),
      ),
      read: () => call.reference,
      recovery: 'key',
    })
  } catch (error) {
    // The reference is the idempotency key: the first payment with it has arrived.
    if (!(error instanceof NativeFailure && error.error.kind === 'duplicate')) throw error
  }
  for (let look = 0; look < looks; look += 1) if ((await lookAt(call, account, readChanged)).isBooked) return { id }
  // Accepted but not at the POS yet: the engine reports that, and looks again on the next request.
  return { id }
}

export const createPayment: NonNullable<EntityAdapter<'payment'>['create']> = {
  requires: ['/orderExternalId', '/settings/endpointId'],
  requiresWhen: [{ pointer: '/paymentMethodExternalId', without: '/methodType' }],
  values: { '/state': { only: ['COMPLETED'], why: 'a payment that is booked has moved already' } },
  // The kind and the name are those of the method; the reference is that of this service, by which the payment is found.
  notStored: {
    '/surcharge': true,
    '/cashTendered': true,
    '/changeGiven': true,
    '/employeeExternalId': true,
    '/customerExternalId': true,
    '/methodType': true,
    '/methodName': true,
    '/processedAt': true,
    '/cardBrand': true,
    '/cardLast4': true,
    '/reference': true,
    '/note': true,
  },
  fields: {
    iKaccountIdentifier: '/orderExternalId',
    paymentAmount: '/amount',
    tipAmount: '/tip',
    paymentMethod: '/paymentMethodExternalId',
    methodType: '/methodType',
    businessLocationId: '/locationExternalId',
    currency: '/currencyCode',
  },
  run: create,
}
