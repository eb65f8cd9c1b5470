import { useEffect, useState } from 'react'
import { manage, withQuery } from '../../api.ts'
import type { Described, ExploredPage } from './responses.ts'
import { type Json, readTemplate } from './template.ts'

/** Undefined while existing records are being read. If the platform cannot be read, the template does without them. */
export function useTemplate(described: Described | undefined, api: (...parts: string[]) => string): Json | undefined {
  const [template, setTemplate] = useState<Json>()
  useEffect(() => {
    if (!described) return
    const leaving = new AbortController()
    const { signal } = leaving
    const read = (type: string) =>
      manage.get<ExploredPage>(withQuery(api(type, 'records'), { pageSize: 20 }), { signal }).then(
        ({ data }) => data,
        () => [],
      )
    void readTemplate(described, read).then((found) => signal.aborted || setTemplate(found))
    return () => leaving.abort()
  }, [described, api])
  return template
}
