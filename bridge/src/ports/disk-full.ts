import { ContractError } from "@xworkmate/contracts";
import { isDiskFullCode, systemErrorCode } from "@xworkmate/platform/errors";

/** The codes that the store, the artifact store and the contract use for a full disk. */
const codes: ReadonlySet<unknown> = new Set(["STORE_FULL", "VAULT_FULL", "DISK_FULL"]);
const MAX_CAUSES = 5;

/** True for an error that means, directly or by its cause, that the disk is full. */
export function isDiskFull(error: unknown): boolean {
	for (let current = error, depth = 0; current instanceof Error && depth < MAX_CAUSES; current = current.cause, depth++) {
		const code = systemErrorCode(current);
		if (isDiskFullCode(code) || codes.has(code)) return true;
	}
	return false;
}

/** The refusal for a full disk. `detail` says what was not done, as the rest of a sentence. */
export function diskFull(detail: string, cause?: unknown): ContractError {
	return new ContractError("DISK_FULL", { detail: `The disk that holds the bridge's files is full, so ${detail}.`, cause });
}
