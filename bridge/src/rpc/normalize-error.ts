import { ContractError } from "@xworkmate/contracts";
import { diskFull, isDiskFull } from "../ports/disk-full.ts";

/**
 * Converts any thrown value to the error that crosses the wire. Anything but a ContractError is the bridge's own failure, and its message
 * is not sent.
 */
export function normalizeError(error: unknown): ContractError {
	if (error instanceof ContractError) return error;
	return isDiskFull(error) ? diskFull("nothing was started or changed", error) : new ContractError("INTERNAL", { cause: error });
}
