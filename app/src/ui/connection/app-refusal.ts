import { fixFor } from "../../strings/user-fixes.ts";
import { asSentence } from "../text/sentence.ts";
import { visibleText } from "../text/visible-text.ts";

/** An error from the app: a stable code, a message for the user, and the fix. */
export class AppRefusal extends Error {
	override readonly name = "AppRefusal";
	readonly code: string;
	readonly fix: string | undefined;

	constructor(code: string, message: string, fix?: string) {
		super(message);
		this.code = code;
		this.fix = fix;
	}
}

/** The last line of a stream that the app had to end early. */
export interface RefusedLine {
	readonly type: "refused";
	readonly failure: { readonly code: string; readonly message: string };
}

/** The app on this computer does not respond. */
export const APP_GONE = "APP_GONE";
/** The page has no session, or the session has ended, so the user needs a new link. */
export const SIGNED_OUT = "UNAUTHENTICATED";

/** The problem in whole sentences, and the fix. */
export function sayError(error: unknown): string {
	const said = asSentence(error instanceof Error ? error.message : String(error));
	const fix = error instanceof AppRefusal ? asSentence(fixFor(error.code, error.fix) ?? "") : "";
	return visibleText(`${said} ${fix}`.trim(), "keep").text;
}

/** Reads the error in a response. A response without one is described by its HTTP status. */
export async function refusalOf(response: Response): Promise<AppRefusal> {
	const body: unknown = await response.json().catch(() => undefined);
	if (isRecord(body) && isRecord(body.error)) {
		const { code, message, fix } = body.error;
		if (typeof code === "string" && typeof message === "string")
			return new AppRefusal(code, message, typeof fix === "string" ? fix : undefined);
	}
	return new AppRefusal(response.status === 401 ? SIGNED_OUT : "INTERNAL", `The app answered with HTTP status ${response.status}.`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null;
}
