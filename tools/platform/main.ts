import Fastify from 'fastify';
console.log(Fastify);
