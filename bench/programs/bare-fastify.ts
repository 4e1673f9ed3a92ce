import { writeFileSync } from "node:fs";
import fastify from "fastify";

/** A minimal fastify server; writes a file once it listens. */
const app = fastify();
app.get("/healthz", () => ({ status: "ok" }));
await app.listen({ host: "127.0.0.1", port: 0 });
writeFileSync(process.argv[2] ?? "", JSON.stringify({ pid: process.pid }));
