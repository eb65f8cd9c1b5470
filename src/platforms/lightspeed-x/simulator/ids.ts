export const ids = {
  outlets: ['b1e04bd8-f019-11e3-a0f5-b8ca3a64f8f4', '06bf537b-c783-11e6-f6b9-b8ca3a64f8f4'],
  registers: ['b1e198a9-f019-11e3-a0f5-b8ca3a64f8f4', '06bf537b-c783-11e6-f6b9-b8ca3a64f8f5'],
  taxes: {
    gst: 'b1d192bc-f019-11e3-a0f5-b8ca3a64f8f4',
    low: 'b1d192bc-f019-11e3-a0f5-b8ca3a64f8a4',
    group: 'b1d192bc-f019-11e3-a0f5-b8ca3a64f8b4',
  },
  users: ['b1ed6158-f019-11e3-a0f5-b8ca3a64f8f4', '020b2c2a-4661-11f0-e200-c09df1eb6362'],
  paymentTypes: [
    'b1e2babe-f019-11e3-a0f5-b8ca3a64f801',
    'b1e2babe-f019-11e3-a0f5-b8ca3a64f802',
    'b1e2babe-f019-11e3-a0f5-b8ca3a64f803',
    'b1e2babe-f019-11e3-a0f5-b8ca3a64f804',
    'b1e2babe-f019-11e3-a0f5-b8ca3a64f805',
  ],
} as const
