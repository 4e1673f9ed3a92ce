import type { AppApi } from "../../api/app-api.ts";
import type { Console } from "../words/console.ts";

/** What a command works with. `json`: its result is printed as one JSON document. */
export interface Output {
	readonly api: AppApi;
	readonly console: Console;
	readonly json: boolean;
}
