import type { NamedBy } from "../runs/run-record.ts";
import type { Place } from "./gateway-places.ts";

/** What is known about a file that a run's events name and that is outside its scope. */
export interface NamedFileFacts {
	readonly place: Place;
	readonly by: NamedBy;
	/** Changed while the run, or a task of it, went on. */
	readonly isOfThisTime: boolean;
	/** It existed before the run began; the run may only have touched it. */
	readonly isOlder: boolean;
	/** Another run named it first. */
	readonly isClaimed: boolean;
	/** No other run was active while this one was. */
	readonly exclusive: boolean;
	/** In the temporary folder that only this run's commands were given. */
	readonly isOwnTemporary: boolean;
}

/**
 * What becomes of it: brought into the scope, refused by name, or passed over. What a tool made in the
 * gateway's media or temporary folders is the run's; what a command or a file tool left in a temporary folder
 * is scratch; what is in the agent's workspace is not delivered, whoever wrote it.
 */
export function attributeFile(facts: NamedFileFacts): "bring" | "unattributed" | "pass" {
	if (facts.place === "scope" || facts.place === "elsewhere") return "pass";
	if (facts.place === "workspace") return facts.by === "write" && facts.isOfThisTime ? "unattributed" : "pass";
	if (facts.by === "write" || facts.by === "exec") return "pass";
	if (facts.isClaimed || facts.isOlder || !facts.isOfThisTime) return "unattributed";
	if (facts.by === "reply" && !facts.exclusive && !facts.isOwnTemporary) return "unattributed";
	return "bring";
}

/** What is known of a file in a folder that the artifact contract names. */
export interface ExpectedFileFacts extends Pick<NamedFileFacts, "isOfThisTime" | "isOlder" | "exclusive"> {
	/** A file tool of the run wrote it. */
	readonly isWritten: boolean;
	/** An event of the run names it, whatever it did. */
	readonly isNamed: boolean;
}

/** Whether it is the run's. A command that names a file which was there before may have done no more than touch it. */
export function isExpectedFile({ isOfThisTime, isOlder, exclusive, isWritten, isNamed }: ExpectedFileFacts): boolean {
	return isOfThisTime && (isWritten || (!isOlder && (exclusive || isNamed)));
}
