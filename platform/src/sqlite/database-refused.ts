export type DatabaseRefusal = "newer" | "foreign" | "damaged" | "migration_failed";

/**
 * A database file that this version must not write to. The file is left unchanged, apart from steps of an upgrade that succeeded before one
 * failed.
 */
export class DatabaseRefused extends Error {
	override readonly name = "DatabaseRefused";
	readonly reason: DatabaseRefusal;

	constructor(reason: DatabaseRefusal, message: string, options?: ErrorOptions) {
		super(message, options);
		this.reason = reason;
	}
}
