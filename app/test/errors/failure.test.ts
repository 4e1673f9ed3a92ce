import { expect, it } from "vitest";
import { toFailure } from "../../src/errors/failure.ts";

it.each(["SQLITE_CORRUPT", "SQLITE_CORRUPT_INDEX", "SQLITE_NOTADB"])(
	"a database that is found damaged in use (%s) is named, with what to do",
	(code) => {
		const failure = toFailure(Object.assign(new Error("database disk image is malformed"), { code }));
		expect(failure).toMatchObject({ code: "APP_DATABASE_DAMAGED", fix: expect.stringContaining("-wal") });
		expect(failure.message).toContain("app/app.sqlite");
	},
);
