import { ContractError } from "@xworkmate/contracts";
import { databaseDamaged } from "../ports/database-damaged.ts";
import { diskFull, isDiskFull } from "../ports/disk-full.ts";

/**
 * Converts any thrown value to the error that crosses the wire. Anything but a ContractError is the bridge's own failure, and its message
 * is not sent.
 */
export function normalizeError(error: unknown): ContractError {
	if (error instanceof ContractError) return error;
	if (isDiskFull(error)) return diskFull("nothing was started or changed", error);
	return databaseDamaged(error) ?? new ContractError("INTERNAL", { cause: error });
}

/** True for a failure of the bridge itself, whose cause is only in its log. */
export function isOwnFailure({ code }: ContractError): boolean {
	return code === "INTERNAL" || code === "DATABASE_DAMAGED";
}
