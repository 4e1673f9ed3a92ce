import { advice, sentence } from "@xworkmate/contracts";

/** Errors of the app itself, independent of transport. The code is stable; the message is for the user. */
export type AppErrorCode =
	| "ADDRESS_REFUSED"
	| "ANSWER_NOT_SENT"
	| "ANSWER_UNCONFIRMED"
	| "APP_DATABASE_DAMAGED"
	| "APP_DATABASE_NEWER"
	| "APP_HOME_IN_USE"
	| "APP_NOT_RUNNING"
	| "APP_TOKEN_EXPOSED"
	| "ATTACHMENT_GONE"
	| "ATTACHMENT_REFUSED"
	| "BACKUP_DAMAGED"
	| "BACKUP_UNCHECKED"
	| "BRIDGE_NOT_OWN"
	| "BRIDGE_NOT_RUNNING"
	| "BRIDGE_TOKEN_MISSING"
	| "BRIDGE_URL_REFUSED"
	| "CONFIG_REFUSED"
	| "DISK_FULL"
	| "EDITOR_FAILED"
	| "EDITOR_NOT_SET"
	| "FILE_BLOCKED"
	| "FILE_NOT_FOUND"
	| "HOME_GONE"
	| "HOME_NOT_WRITABLE"
	| "INVALID_INPUT"
	| "NOTHING_TO_SYNC"
	| "NOTHING_WAITS"
	| "NOT_IN_BACKGROUND"
	| "OUTCOME_UNKNOWN"
	| "PORT_IN_USE"
	| "QUEUED_NOT_FOUND"
	| "RUN_MISMATCH"
	| "SERVICE_NOT_CONTROLLED"
	| "SERVICE_REFUSED"
	| "SEVERAL_WAIT"
	| "STOP_NOT_SAVED"
	| "THREAD_ARCHIVED"
	| "THREAD_BUSY"
	| "THREAD_NOT_FOUND"
	| "TURN_NOT_FOUND"
	| "WORKSPACE_REFUSED";

export class AppError extends Error {
	override readonly name: string = "AppError";
	readonly code: AppErrorCode;
	/** What the user can do about it. */
	readonly fix: string;

	constructor(code: AppErrorCode, message: string, fix: string, cause?: unknown) {
		super(sentence(message), cause === undefined ? {} : { cause });
		this.code = code;
		this.fix = advice(fix);
	}
}

/** Another process owns `<home>/app`. */
export class AppHomeInUse extends AppError {
	override readonly name = "AppHomeInUse";

	constructor(home: string, cause?: unknown) {
		super("APP_HOME_IN_USE", `Another XWorkmate process is using ${home}.`, "Use that one, or stop it first.", cause);
	}
}
