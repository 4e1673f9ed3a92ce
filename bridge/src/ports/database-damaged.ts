import { ContractError } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";

const MAX_CAUSES = 5;

/** The refusal for an error that means, directly or by its cause, that the database is damaged; undefined for any other error. */
export function databaseDamaged(error: unknown): ContractError | undefined {
	for (let current = error, depth = 0; current instanceof Error && depth < MAX_CAUSES; current = current.cause, depth++) {
		if (systemErrorCode(current) === "STORE_CORRUPT") return new ContractError("DATABASE_DAMAGED", { cause: error });
	}
	return undefined;
}
