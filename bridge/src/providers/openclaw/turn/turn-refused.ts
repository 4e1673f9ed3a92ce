import type { FailedCode } from "@xworkmate/contracts";

/** The turn cannot be sent in its present form. */
export class TurnRefused extends Error {
	override readonly name = "TurnRefused";
	readonly code: FailedCode;

	constructor(code: FailedCode, message: string) {
		super(message);
		this.code = code;
	}
}
