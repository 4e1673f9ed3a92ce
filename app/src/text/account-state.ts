import type { AuthProfile } from "@xworkmate/contracts";

/** Whether an account can be used, and if not, why and until when. */
export function accountState({ state, reason, until, model, expiresAt, variable }: AuthProfile): string {
	switch (state) {
		case "ready":
			return expiresAt === undefined ? "ready" : `ready until ${expiresAt}`;
		case "expired":
			return `expired${expiresAt === undefined ? "" : ` at ${expiresAt}`}`;
		case "missing":
			return `${variable ?? "its variable"} is not set to a credential`;
		case "cooling": {
			const end = until === undefined ? "" : ` until ${until}`;
			if (reason === "billing") return `out of credit, not tried${end}`;
			if (reason === "auth") return `rejected, not tried${end}`;
			return `rate limited${end}${model === undefined ? "" : ` for ${model}`}`;
		}
	}
}
