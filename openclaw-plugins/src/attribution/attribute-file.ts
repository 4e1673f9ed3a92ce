import type { NamedBy } from "../runs/run-record.ts";
import type { Place } from "./gateway-places.ts";

/** What is known about a file that a run's events name and that may be outside the scope. */
export interface NamedFileFacts {
	readonly place: Place;
	readonly by: NamedBy;
	/** The file has changed since the run was prepared. */
	readonly isOfThisTime: boolean;
	/** The file existed before the run began, so the run may only have touched it. */
	readonly isOlder: boolean;
	/** Another run named the file first. */
	readonly isClaimed: boolean;
	/** No other run worked while this run was active. */
	readonly exclusive: boolean;
	/** The file is in the temporary folder that was passed only to this run's commands. */
	readonly isOwnTemporary: boolean;
}

/**
 * Decides what happens to a file outside the scope that a run's events name: copy it into the scope, list it as rejected, or ignore it. In
 * the gateway's media or temporary folders, a file that a tool made or the final text attaches can be the run's; a file that a command or a
 * file tool left there is scratch. A file in the agent's workspace is not delivered, whichever tool wrote it.
 */
export function attributeFile(facts: NamedFileFacts): "bring" | "unattributed" | "pass" {
	if (facts.place === "scope" || facts.place === "elsewhere") return "pass";
	if (facts.place === "workspace") return facts.by === "write" && facts.isOfThisTime ? "unattributed" : "pass";
	if (facts.by === "write" || facts.by === "exec") return "pass";
	if (facts.isClaimed || facts.isOlder || !facts.isOfThisTime) return "unattributed";
	if (facts.by === "reply" && !facts.exclusive && !facts.isOwnTemporary) return "unattributed";
	return "bring";
}

/**
 * What is known about a file in a folder that the artifact contract names. Here, `isOfThisTime` also means that the file did not change
 * after the run's end.
 */
export interface ExpectedFileFacts extends Pick<NamedFileFacts, "isOfThisTime" | "isOlder" | "exclusive"> {
	/** A file tool of the run wrote the file. */
	readonly isWritten: boolean;
	/** An event of the run names the file, for whatever reason. */
	readonly isNamed: boolean;
}

/** Whether the file belongs to the run. A command that names an older file may only have touched it. */
export function isExpectedFile({ isOfThisTime, isOlder, exclusive, isWritten, isNamed }: ExpectedFileFacts): boolean {
	return isOfThisTime && (isWritten || (!isOlder && (exclusive || isNamed)));
}
