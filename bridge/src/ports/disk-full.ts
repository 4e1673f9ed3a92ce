import { ContractError } from "@xworkmate/contracts";

/** How the system, the store and the artifact store say that there is no room. */
const codes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "STORE_FULL", "VAULT_FULL", "DISK_FULL"]);
const MAX_CAUSES = 5;

/** True for an error that says, itself or by its cause, that the disk is full. */
export function isDiskFull(error: unknown): boolean {
	for (let current = error, depth = 0; current instanceof Error && depth < MAX_CAUSES; current = current.cause, depth++) {
		if ("code" in current && codes.has(current.code)) return true;
	}
	return false;
}

/** The refusal a caller gets, with what was not done. */
export function diskFull(detail: string, cause?: unknown): ContractError {
	return new ContractError("DISK_FULL", { detail: `The disk that holds the bridge's files is full, so ${detail}.`, cause });
}
