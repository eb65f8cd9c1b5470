// People who log in to the management API.
export interface User {
  name: string
  passwordHash: string
}
export interface Users {
  put(user: User): Promise<void>
  /** False when the name is taken. */
  create(user: User): Promise<boolean>
  /**
   * False when there is any user already, created by this or another instance. `password` is stored, sealed, until it
   * has been printed.
   */
  createFirst(user: User & { password?: string }): Promise<boolean>
  /**
   * Hands the stored password of the first user to `print`, on one instance at a time, and removes it when `print`
   * resolves.
   */
  printFirst(print: (login: { name: string; password: string }) => Promise<void>): Promise<void>
  get(name: string): Promise<User | undefined>
  list(): Promise<{ name: string; sessions: number }[]>
  count(): Promise<number>
  /** Sets the password and ends all sessions of the user. False when there is no such user. */
  resetPassword(user: User): Promise<boolean>
}
