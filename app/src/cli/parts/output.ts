import type { AppApi } from "../../api/app-api.ts";
import type { Console } from "./console.ts";

/** What a command works with. `json`: its results are printed as JSON, one document per line. */
export interface Output {
	readonly api: AppApi;
	readonly console: Console;
	readonly json: boolean;
}
