import type { UserId } from "@choiros/contract";
import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint, formCsrfMiddleware, sensitiveSessionMiddleware } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { z } from "zod";
import { NO_PASSWORD } from "./account-table.ts";
import { LINK_MINUTES } from "./link-table.ts";

/** What the routes here do that better-auth knows nothing of. */
export interface Means {
  readonly spend: (token: string) => UserId | undefined;
  readonly endOthers: (account: UserId, current: string) => void;
}

/** What we add to better-auth: a way in by link, and a password for who has none. */
export function ways({ spend, endOthers }: Means) {
  return {
    id: "choir",
    endpoints: {
      link: createAuthEndpoint(
        "/link",
        { method: "POST", body: z.object({ token: z.string().max(100) }), use: [formCsrfMiddleware] },
        async (ctx) => {
          const { internalAdapter } = ctx.context;
          const account = spend(ctx.body.token);
          const user = account === undefined ? null : await internalAdapter.findUserById(account);
          if (user === null) throw new APIError("UNAUTHORIZED", VOID);
          const session = await internalAdapter.createSession(user.id, false, { byLink: true });
          await setSessionCookie(ctx, { session, user });
          return ctx.json({ account: user.id });
        },
      ),
      password: createAuthEndpoint(
        "/password",
        {
          method: "POST",
          body: z.object({ password: z.string(), current: z.string().max(128).optional() }),
          use: [sensitiveSessionMiddleware],
        },
        async (ctx) => {
          const { internalAdapter, password } = ctx.context;
          const { user, session } = ctx.context.session;
          const { minPasswordLength: min, maxPasswordLength: max } = password.config;
          const { length } = ctx.body.password;
          if (length < min || length > max)
            throw new APIError("BAD_REQUEST", { code: "LENGTH", message: lengths(min, max) });
          const hash = (await internalAdapter.findCredentialAccount(user.id))?.password ?? NO_PASSWORD;
          const known = hash === NO_PASSWORD || (ctx.body.current === undefined && isFromLink(session));
          if (!known && !(await password.verify({ hash, password: ctx.body.current ?? "" }))) {
            throw new APIError("FORBIDDEN", WRONG);
          }
          await internalAdapter.updatePassword(user.id, await password.hash(ctx.body.password));
          endOthers(user.id, session.id);
          return ctx.json({ ok: true });
        },
      ),
    },
  } satisfies BetterAuthPlugin;
}

const VOID = {
  code: "LINK_VOID",
  message: "This link was used, or is older than 10 minutes. Get a new one with: npx choir user link",
};

const WRONG = {
  code: "WRONG_PASSWORD",
  message: "That is not the current password. Who forgot it signs in by a new link, from: npx choir user link",
};

function lengths(min: number, max: number): string {
  return `A password has ${min} to ${max} characters.`;
}

/** Whoever has just come by a link needs no password: that is how a forgotten one is replaced. */
function isFromLink(session: { readonly createdAt: Date; readonly [field: string]: unknown }): boolean {
  return session.byLink === true && Date.now() - session.createdAt.getTime() < LINK_MINUTES * 60_000;
}
