import type { Approval } from "@xworkmate/contracts";

/** When the grant expires or expired, by the bridge's clock; undefined if none was given. */
export function grantEnd({ state, decision, decidedAt, windowSeconds }: Approval): number | undefined {
	if (state !== "decided" || decision !== "allow_window") return undefined;
	return decidedAt === undefined || windowSeconds === undefined ? undefined : Date.parse(decidedAt) + windowSeconds * 1000;
}
