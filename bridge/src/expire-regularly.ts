import type { Logger } from "pino";
import { systemClock } from "./ports/clock.ts";

const EXPIRE_AFTER_MS = 5_000;
const EXPIRE_EVERY_MS = 60 * 60_000;

/** Runs the expiry a few seconds after the start, to let the first requests pass, then every hour. */
export function expireRegularly(expire: () => Promise<void>, logger: Logger): Disposable {
	const expireNow = () => {
		expire().catch((error: unknown) => logger.error({ err: error }, "old files could not be removed"));
		next = systemClock.at(systemClock.now() + EXPIRE_EVERY_MS, expireNow);
	};
	let next = systemClock.at(systemClock.now() + EXPIRE_AFTER_MS, expireNow);
	return { [Symbol.dispose]: () => next[Symbol.dispose]() };
}
