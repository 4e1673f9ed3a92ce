import { describe, expect, it } from "vitest";
import { closed, fromNetwork, httpStatus } from "../../../src/bridge-client/wire/bridge-errors.ts";
import { toFailure } from "../../../src/errors/failure.ts";

describe("a call without an answer", () => {
	it("says what to do when the bridge is stopped or restarted meanwhile", () => {
		const reset = Object.assign(new TypeError("fetch failed"), { cause: Object.assign(new Error("read"), { code: "ECONNRESET" }) });
		expect(toFailure(fromNetwork(reset))).toEqual({
			code: "ACP_HTTP_CONNECTION_CLOSED",
			message: "The connection to the bridge was closed (ECONNRESET).",
			fix: "Wait a few seconds, then try again: a running XWorkmate restarts its own bridge. If that doesn't help: npm run -s xworkmate -- doctor",
		});
	});

	it("is put in a sentence whatever it was made of", () => {
		expect(toFailure(closed("the stream was cut")).message).toBe("The stream was cut.");
	});

	it("is not to be waited for when the bridge has refused it", () => {
		expect(toFailure(httpStatus(401, "The token is wrong.")).fix).toBe("Check the bridge and its token: npm run -s xworkmate -- doctor");
	});
});
