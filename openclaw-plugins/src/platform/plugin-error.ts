import { OpenClawPluginErrorCode } from "@xworkmate/contracts";

const NAME = "PluginError";

/** A refusal with a code of the contract; becomes the gateway's error response or an HTTP status. */
export class PluginError extends Error {
	override readonly name = NAME;
	readonly code: OpenClawPluginErrorCode;

	constructor(code: OpenClawPluginErrorCode, message: string, options: ErrorOptions = {}) {
		super(message, options);
		this.code = code;
	}
}

/**
 * Finds the refusal in a thrown value. It is recognized by name and code: OpenClaw loads the plugin again at every reload, so an error of
 * the shared core may be an instance of another copy of the class.
 */
export function refusalIn(error: unknown): PluginError | undefined {
	return isRefusal(error) ? error : undefined;
}

function isRefusal(error: unknown): error is PluginError {
	return error instanceof Error && error.name === NAME && "code" in error && OpenClawPluginErrorCode.safeParse(error.code).success;
}
