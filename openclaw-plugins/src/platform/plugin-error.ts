import { OpenClawPluginErrorCode } from "@xworkmate/contracts";

const NAME = "PluginError";

/** A refusal with a code of the contract; becomes the gateway's error answer or an HTTP status. */
export class PluginError extends Error {
	override readonly name = NAME;
	readonly code: OpenClawPluginErrorCode;

	constructor(code: OpenClawPluginErrorCode, message: string, options: ErrorOptions = {}) {
		super(message, options);
		this.code = code;
	}
}

/**
 * The refusal in a thrown value. Recognized by name and code: OpenClaw loads the plugin again at every reload, so errors of the shared core
 * may be of another instance's class.
 */
export function refusalIn(error: unknown): PluginError | undefined {
	return isRefusal(error) ? error : undefined;
}

function isRefusal(error: unknown): error is PluginError {
	return error instanceof Error && error.name === NAME && "code" in error && OpenClawPluginErrorCode.safeParse(error.code).success;
}
