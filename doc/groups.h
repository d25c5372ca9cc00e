/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @defgroup dcn Data-center networks
 * @brief What is estimated: topology, paths, workload, configuration, scenario, estimator, results.
 */

/**
 * @defgroup dcn-tests Tests of dcn
 * @ingroup dcn
 * @ingroup tests
 */

/**
 * @defgroup dcn-packet Packet-level simulation of data-center networks
 * @brief Hosts, switches and congestion controls; the method "packet".
 */

/**
 * @defgroup dcn-packet-tests Tests of dcn-packet
 * @ingroup dcn-packet
 * @ingroup tests
 */

/**
 * @defgroup dcn-dataset Data sets of packet-level simulations
 * @brief Rules, samplers, recorder, HDF5 files.
 */

/**
 * @defgroup dcn-dataset-tests Tests of dcn-dataset
 * @ingroup dcn-dataset
 * @ingroup tests
 */

/**
 * @defgroup dcn-tcp Scenarios on ns-3's own TCP
 * @brief Nodes with the Internet stack, routing by flow; the method "tcp".
 */

/**
 * @defgroup flowsim Fluid simulation of data-center networks
 * @brief Max-min fair allocation and its event loop; the method "flowsim".
 */

/**
 * @defgroup flowsim-tests Tests of flowsim
 * @ingroup flowsim
 * @ingroup tests
 */

/**
 * @defgroup cceval Confidence in evaluations
 * @brief Intervals, stopping rules, forecasts, importance sampling, control variates, comparisons.
 */

/**
 * @defgroup cceval-tests Tests of cceval
 * @ingroup cceval
 * @ingroup tests
 */

/**
 * @defgroup mql Queueing model of data-center networks
 * @brief Latency of packets by maximum entropy and decomposition; the method "mql".
 */

/**
 * @defgroup mql-tests Tests of mql
 * @ingroup mql
 * @ingroup tests
 */
