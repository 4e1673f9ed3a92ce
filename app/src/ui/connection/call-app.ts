import type { Answer, Given } from "../../api/method.ts";
import type { appMethods } from "../../api/methods.ts";
import { words } from "../../strings/interface.ts";
import { noteHeard } from "./app-heard.ts";
import { APP_GONE, AppRefusal, refusalOf } from "./app-refusal.ts";

type Methods = typeof appMethods;

/** How long to wait before the app is considered unresponsive. Hashing a large folder, or sending 25 MiB, is slow. */
const ANSWER_MS = 120_000;

/** While a page is being closed, browsers send bodies of at most 64 KiB. A body with fewer characters than this always fits. */
const KEEPALIVE_CHARACTERS = 15_000;

/**
 * Makes one call to the local API. A small draft or edit arrives even if the page is closed during the call. The app that serves this page
 * has the same version, so the types of results are not checked.
 * @throws AppRefusal with the app's code, or APP_GONE
 */
export async function callApp<M extends keyof Methods>(method: M, params: Given<Methods[M]>): Promise<Answer<Methods[M]>> {
	const body = JSON.stringify(params);
	const response = await reach(`/api/${method}`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body,
		keepalive: (method === "saveDraft" || method === "editQueued") && body.length < KEEPALIVE_CHARACTERS,
		signal: AbortSignal.timeout(ANSWER_MS),
	});
	if (!response.ok) throw await refusalOf(response);
	const { result } = (await response.json()) as { result: Answer<Methods[M]> };
	return result;
}

export async function reach(path: string, init: RequestInit): Promise<Response> {
	try {
		const response = await fetch(path, { credentials: "same-origin", cache: "no-store", ...init });
		noteHeard();
		return response;
	} catch (cause) {
		if (init.signal?.aborted === true && !(init.signal.reason instanceof DOMException && init.signal.reason.name === "TimeoutError"))
			throw cause;
		throw new AppRefusal(APP_GONE, words.page.appSilent);
	}
}
