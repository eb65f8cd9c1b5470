// The events that the dashboard offers are those that the service sends.
import { expect, it } from 'vitest'
import {
  allTypes,
  choiceOf,
  notificationEvents,
  notifies,
  patternsOf,
  typesIn,
} from '../packages/dashboard/src/pages/webhooks/events.ts'
import { eventPatterns, receives } from '../src/deliveries/event-types.ts'

it('offers every event, and reads and writes patterns as the service does', () => {
  const sent = eventPatterns.filter((pattern) => !pattern.includes('*'))
  expect(allTypes.toSorted()).toEqual(sent.toSorted())
  for (const pattern of eventPatterns) {
    const types = typesIn([pattern])
    expect([...types].toSorted(), pattern).toEqual(sent.filter((type) => receives([pattern], type)).toSorted())
    const written = patternsOf(types)
    expect(eventPatterns).toEqual(expect.arrayContaining(written))
    expect(typesIn(written), pattern).toEqual(types)
  }
  expect(patternsOf(typesIn(['product.*', 'order.created']))).toEqual(['product.*', 'order.created'])
})

it('recognizes endpoints for notifications', () => {
  expect(choiceOf(notificationEvents)).toBe('notifications')
  expect(choiceOf([...notificationEvents, 'write.settled'])).toBe('selected')
  expect(choiceOf(['*'])).toBe('all')
  expect([notificationEvents, ['*'], ['account.*']].map(notifies)).toEqual([true, true, false])
})
