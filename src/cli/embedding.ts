// The module for programs that embed the server. It opens the same server as the command, with the options of a config file, on
// transports that the program chooses. It does not lock the process down, and does not read the environment.

import { createLog } from '../security/audit/log.ts';
import { closeStore } from '../security/state/open-store.ts';
import { createServer, isolate, openAirlock as openServable } from '../server.ts';
import { airlockOptions, logOptions } from './settings/airlock-options.ts';
import { HTTP_OPTIONS } from './settings/http-options.ts';
import { settingsFromObject } from './settings/settings.ts';
import { UsageError } from './settings/usage-error.ts';

export { VERSION } from '../server.ts';

type Transport = Parameters<ReturnType<typeof createServer>['connect']>[0];

/** The options by name. The package's own types list each of them, and a test compares those with the list of options. */
export type Options = Readonly<Record<string, unknown>>;

export interface Airlock {
  /** Serves one client. Several may be connected at a time. */
  connect(transport: Transport): Promise<void>;
  /** Ends all connections. A write that has begun is finished. */
  close(): Promise<void>;
}

/** Opens an airlock. Rejects with an error that names the wrong option, or what cannot be served. */
export async function openAirlock(options: Options): Promise<Airlock> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const ofHttp = Object.values(HTTP_OPTIONS).find(({ name }) => given.some(([key]) => key === name));
  if (ofHttp !== undefined)
    throw new UsageError(`${ofHttp.name} is for the command: a program connects transports of its own`);
  const settings = settingsFromObject(Object.fromEntries(given));
  const log = createLog(logOptions(settings));
  const opened = await openServable({ ...(await airlockOptions(settings, {})), log });
  const isolated = isolate(opened);
  const servers = new Set<ReturnType<typeof createServer>>();
  return {
    connect: async (transport) => {
      const server = createServer(isolated ?? opened);
      servers.add(server);
      const { onclose } = transport;
      transport.onclose = () => {
        servers.delete(server);
        onclose?.();
      };
      await server.connect(transport);
    },
    close: async () => {
      await Promise.all([...servers].map((server) => server.close()));
      await isolated?.engine.close();
      if (opened.state !== undefined) await closeStore(opened.state);
      opened.sandbox.close();
    },
  };
}
