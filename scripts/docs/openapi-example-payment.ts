// The examples of payments: an order, its payment in full, and what can be read of both.

// biome-ignore lint/suspicious/noExplicitAny: responses of any operation
type Call = (operationId: string, sent?: any) => Promise<any>

/** What a delivery app was paid: exactly what the till asks for. */
export async function payOrder(call: Call, as: string, locationExternalId: string): Promise<void> {
  const lineItems = [{ productExternalId: 'P-1', name: 'Flat white', quantity: 1, unitPrice: 4.5 }]
  const order = { externalId: 'O-2', locationExternalId, currencyCode: 'USD', lineItems }
  const { data: sale } = await call('createOrder', { as, body: order })
  const body = {
    externalId: 'PAY-1',
    orderExternalId: order.externalId,
    amount: sale.total,
    tip: 1,
    currencyCode: sale.currencyCode,
    methodType: 'OTHER',
    methodName: 'Delivery app',
    reference: 'DELIVERY-7781',
  }
  const { reference } = await call('createPayment', { as, body })
  await call('createPayment', { as, body }) // a replay
  await call('getPayment', { as, parameters: { id: reference.id } })
}
