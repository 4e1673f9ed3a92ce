import { systemErrorCode } from "@xworkmate/scope-tree";
import type { VaultFailureCode } from "./collect-task.ts";

/** The bridge's own store could not be written or read. `VAULT_FULL`: no space or quota left. */
export class VaultError extends Error {
	override readonly name = "VaultError";
	readonly code: VaultFailureCode;

	constructor(code: VaultFailureCode, message: string, options: ErrorOptions = {}) {
		super(message, options);
		this.code = code;
	}
}

/** Any failure as one of the vault's. */
export function toVaultError(error: unknown): VaultError {
	if (error instanceof VaultError) return error;
	const full = ["ENOSPC", "EDQUOT"].includes(systemErrorCode(error) ?? "");
	const cause = error instanceof Error ? error.message : String(error);
	return new VaultError(full ? "VAULT_FULL" : "VAULT_IO", `the artifact store failed: ${cause}`, { cause: error });
}

/** Runs a step on the vault's side: its errors are never taken for the scope's. @throws VaultError */
export function atVault<T>(step: () => T): T {
	try {
		return step();
	} catch (error) {
		throw toVaultError(error);
	}
}
