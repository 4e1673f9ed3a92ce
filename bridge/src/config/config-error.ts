import { advice, sentence } from "@xworkmate/contracts";

/** A setting that cannot be used: the bridge does not start, or keeps its earlier settings. Never contains a secret's value. */
export class ConfigError extends Error {
	override readonly name = "ConfigError";
	readonly code = "CONFIG_INVALID";
	/** How the user can fix the setting. */
	readonly fix: string;

	constructor(message: string, fix: string) {
		super(sentence(message));
		this.fix = advice(fix);
	}
}
