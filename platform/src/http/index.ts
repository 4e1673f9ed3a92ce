export { BodyTooLarge, readText } from "./read-text.ts";
export { type HttpRequest, sendRequest } from "./send-request.ts";
