/**
 * PostHog's API, for tests: project `1815` with the ingestion key `phc_1815`; the personal API key `phx_ada` may do everything, `phx_reader`
 * may only query. Page views come in by `/batch/`, as from a website. Counts `insight.created` and `alert.created` by name, `insight.deleted`
 * and `alert.deleted` by id.
 */
import { serveFake } from "../service/serve.ts";
import { postHogService } from "./service.ts";

serveFake(postHogService());
