// Native calls from the explorer: the same engine function as `POST /unified/{accountId}/native`.
import { existingAccount } from '../../accounts/lookup.ts'
import { nativeResponse } from '../../contract/manage/explorer.ts'
import { nativeCallSchema } from '../../contract/native-call.ts'
import type { Engine } from '../../engine/engine.ts'
import { nativeAnswerText } from '../../engine/native-answer.ts'
import type { Store } from '../../store/store.ts'
import { platformProblems } from '../openapi-problems.ts'
import { explorerBase } from './explorer.ts'
import { callSummary, nativeCallerRequest, timed } from './explorer-call.ts'
import { defineRoute, type ManageRoute } from './route.ts'

export function explorerNativeRoutes(store: Store, engine: Engine): ManageRoute[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${explorerBase}/native`,
      operationId: 'callPlatform',
      role: 'operator',
      problems: platformProblems,
      summary: "Make a call of the platform's own API; one that may write is sent once per externalId",
      tag: 'Explorer',
      body: nativeCallSchema,
      answer: nativeResponse,
      handle: async ({ parameters, body, request, reply, started }) => {
        const asked = timed(request)
        const account = await existingAccount(store, parameters)
        if (body.method !== 'GET') await started()
        const { answer, replayed } = await engine.native(account, body, asked.context)
        const { externalId } = body
        // The text of the platform: its numbers keep every digit.
        reply.type('application/json; charset=utf-8')
        return nativeAnswerText(answer, {
          reference: externalId === undefined ? undefined : { externalId, replayed },
          ...callSummary(asked, nativeCallerRequest(account.id, body)),
        })
      },
    }),
  ]
}
