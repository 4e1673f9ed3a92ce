import type { OpenClawPluginErrorCode } from "@xworkmate/contracts";

/** A refusal with a code of the contract; becomes the gateway's error answer or an HTTP status. */
export class PluginError extends Error {
	override readonly name = "PluginError";
	readonly code: OpenClawPluginErrorCode;

	constructor(code: OpenClawPluginErrorCode, message: string, options: ErrorOptions = {}) {
		super(message, options);
		this.code = code;
	}
}
