/** A setting that cannot be used. Local: the bridge does not start. Never holds a secret's value. */
export class ConfigError extends Error {
	override readonly name = "ConfigError";
	readonly code = "CONFIG_INVALID";
	/** What the person does about it. */
	readonly fix: string;

	constructor(message: string, fix: string) {
		super(message);
		this.fix = fix;
	}
}
