import type { UserId } from "@choiros/contract";
import { z } from "zod";
import { askServer } from "../access/socket-access.ts";
import { RemovedUser, type Role, SignInLink, User, type Users } from "./users.ts";

/** Through the running server: it ends the sessions, and closes what is open. */
export class SocketUsers implements Users {
  readonly #socket: string;
  readonly #signal: AbortSignal;

  /** Whoever waits for the server stops waiting by the signal. */
  constructor(socket: string, signal: AbortSignal) {
    this.#socket = socket;
    this.#signal = signal;
  }

  add(name: string, role: Role): Promise<User> {
    return this.#ask({ path: "/users", body: { name, role } }, User);
  }

  list(): Promise<User[]> {
    return this.#ask({ path: "/users" }, z.array(User));
  }

  remove(id: UserId, { keepFiles }: { readonly keepFiles: boolean }): Promise<RemovedUser> {
    return this.#ask({ path: `/users/${id}/remove`, body: { keepFiles } }, RemovedUser);
  }

  link(id: UserId): Promise<SignInLink> {
    return this.#ask({ path: `/users/${id}/link`, body: {} }, SignInLink);
  }

  #ask<T>(asked: { readonly path: string; readonly body?: object }, shape: z.ZodType<T>): Promise<T> {
    return askServer(this.#socket, { ...asked, signal: this.#signal }, shape);
  }
}
