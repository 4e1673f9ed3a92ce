import { ContractError } from "@xworkmate/contracts";
import { databaseDamaged } from "../../ports/database-damaged.ts";

/** Why the bridge itself could not carry out a run. The message of an unknown error is not meant for users. */
export function failureMessage(error: unknown): string {
	const named = error instanceof ContractError ? error : databaseDamaged(error);
	return named?.message ?? "The bridge could not carry out the run. The bridge's log has the cause.";
}
