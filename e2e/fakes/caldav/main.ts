/**
 * A CalDAV server for tests (RFC 4918, RFC 4791): one user, `ada` with the password `ada's password`, and one calendar at
 * `/dav/calendars/ada/home/`. Counts `event.created`, `event.changed` and `event.deleted`, each by the event's UID.
 */
import { serveFake } from "../service/serve.ts";
import { calDavService } from "./service.ts";

serveFake(calDavService());
