/**
 * GitHub's REST API for issues (version 2022-11-28), for tests: the repository `ada/engine`, which the token `ghp_ada` may read and write
 * and `ghp_reader` may only read. Counts `issue.created` by title, `issue.closed` and `issue.opened` by number, `comment.created` by its text
 * and `comment.deleted` by id. Nothing is done twice less because of an idempotency key: GitHub knows none.
 */
import { serveFake } from "../service/serve.ts";
import { gitHubService } from "./service.ts";

serveFake(gitHubService());
