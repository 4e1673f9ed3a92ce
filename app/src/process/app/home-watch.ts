import { statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isGoneCode, systemErrorCode } from "@xworkmate/platform/errors";
import { AppError } from "../../errors/app-error.ts";

const LOOK_EVERY_MS = 2_000;
/** The interval for an app in the background. This interval is longer, because no user is waiting to see the error. */
export const REST_LOOK_EVERY_MS = 10_000;

/**
 * Detects that a home was deleted, moved or unmounted. After that, the app's database is a file that can no longer be found. `gone`
 * resolves at most once, with the error for the user.
 */
export class HomeWatch implements Disposable {
	readonly gone: Promise<AppError>;
	readonly #timer: NodeJS.Timeout;

	/** Create the watch once the app's database is open. */
	constructor(home: string, everyMs = LOOK_EVERY_MS) {
		const { promise, resolve } = Promise.withResolvers<AppError>();
		this.gone = promise;
		const file = join(home, "app", "app.sqlite");
		const { dev, ino } = statSync(file);
		const look = async () => {
			const found = await stat(file).catch((error: unknown) => (isGoneCode(systemErrorCode(error)) ? undefined : { dev, ino }));
			if (found?.dev === dev && found.ino === ino) return;
			clearInterval(this.#timer);
			const fix = "Put the folder back, then start XWorkmate again. Otherwise, the next start creates an empty one.";
			resolve(new AppError("HOME_GONE", `${home} was deleted, moved or unmounted while XWorkmate was running.`, fix));
		};
		this.#timer = setInterval(() => void look(), everyMs).unref();
	}

	[Symbol.dispose](): void {
		clearInterval(this.#timer);
	}
}
